// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Ownable} from "solady/src/auth/Ownable.sol";
import {IExpiryCoSignature} from "../../../../contracts/interfaces/receiver/policies/IExpiryCoSignature.sol";
import {SolverSignature} from "../../../../contracts/records/SolverSignature.sol";
import {IClock} from "../managed/IClock.sol";
import {Test} from "../../support/Test.sol";
import {PolicyDesk} from "./PolicyDesk.sol";

/// @title ExpiryCoSignatureTest
/// @notice What the integrator signs binds request, deadline, amount, contract and chain, and nothing passes for it.
contract ExpiryCoSignatureTest is Test {
    IClock private constant CLOCK = IClock(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
    uint256 private constant KEY = uint256(keccak256("the integrator's key"));
    address private immutable SIGNER = VM.addr(KEY);

    PolicyDesk private _desk;

    function setUp() public {
        _desk = new PolicyDesk(address(this));
        _desk.setCoSigner(SIGNER);
    }

    function testFuzz_RevertWhen_AnybodyElseChoosesTheCoSigner(address caller) public {
        VM.assume(caller != address(this));
        VM.expectRevert(abi.encodePacked(Ownable.Unauthorized.selector));
        VM.prank(caller);
        _desk.setCoSigner(caller);
    }

    function testFuzz_DigestIsThatOfThePlainTypedData(
        bytes32 id,
        uint256 amount,
        uint256 deadline
    ) public view {
        _assertEq(_desk.expiryDigest(id, deadline), _expiryDigest(_desk, id, deadline));
        _assertEq(_desk.amountExpiryDigest(id, amount, deadline), _amountDigest(_desk, id, amount, deadline));
    }

    function testFuzz_WhatTheCoSignerSignedPasses(bytes32 id, uint256 amount, uint256 deadline) public view {
        _desk.checkExpiry(id, _signed(KEY, _expiryDigest(_desk, id, deadline), deadline));
        _desk.checkAmountExpiry(
            id,
            amount,
            _signed(KEY, _amountDigest(_desk, id, amount, deadline), deadline)
        );
    }

    function testFuzz_TheDeadlineIsTheLastSecond(uint256 deadline) public {
        deadline = _bound(deadline, 1, type(uint64).max);
        CLOCK.warp(deadline);
        _desk.checkDeadline(deadline);
        CLOCK.warp(deadline + 1);
        VM.expectRevert(
            abi.encodeWithSelector(IExpiryCoSignature.DepositExpired.selector, deadline, deadline + 1)
        );
        _desk.checkDeadline(deadline);
    }

    function testFuzz_RevertWhen_AnythingSignedDiffers(
        bytes32 id,
        uint256 amount,
        uint256 deadline,
        uint256 flips,
        uint256 field
    ) public {
        flips = _bound(flips, 1, type(uint256).max);
        bytes32 digest = _amountDigest(_desk, id, amount, deadline);
        IExpiryCoSignature.CoSignature memory coSignature = _signed(KEY, digest, deadline);
        field = field % 3;
        if (field == 0) id ^= bytes32(flips);
        else if (field == 1) amount ^= flips;
        else coSignature.deadline ^= flips;

        bytes32 asked = _amountDigest(_desk, id, amount, coSignature.deadline);
        VM.expectRevert(_notCoSigned(asked, coSignature));
        _desk.checkAmountExpiry(id, amount, coSignature);
    }

    function testFuzz_RevertWhen_AnExpiryIsUsedForAnAmountOrTheOtherWayRound(
        bytes32 id,
        uint256 amount,
        uint256 deadline
    ) public {
        IExpiryCoSignature.CoSignature memory plain = _signed(
            KEY,
            _expiryDigest(_desk, id, deadline),
            deadline
        );
        VM.expectRevert(_notCoSigned(_amountDigest(_desk, id, amount, deadline), plain));
        _desk.checkAmountExpiry(id, amount, plain);

        IExpiryCoSignature.CoSignature memory bounded = _signed(
            KEY,
            _amountDigest(_desk, id, amount, deadline),
            deadline
        );
        VM.expectRevert(_notCoSigned(_expiryDigest(_desk, id, deadline), bounded));
        _desk.checkExpiry(id, bounded);
    }

    function testFuzz_RevertWhen_AnotherContractsCoSignatureIsUsed(bytes32 id, uint256 deadline) public {
        PolicyDesk other = new PolicyDesk(address(this));
        IExpiryCoSignature.CoSignature memory coSignature = _signed(
            KEY,
            _expiryDigest(other, id, deadline),
            deadline
        );
        VM.expectRevert(_notCoSigned(_expiryDigest(_desk, id, deadline), coSignature));
        _desk.checkExpiry(id, coSignature);
    }

    function testFuzz_AfterAForkTheOldCoSignatureIsWorthlessAndANewOneGood(
        bytes32 id,
        uint256 deadline,
        uint64 forkId
    ) public {
        VM.assume(forkId != block.chainid);
        IExpiryCoSignature.CoSignature memory before = _signed(
            KEY,
            _expiryDigest(_desk, id, deadline),
            deadline
        );
        _desk.checkExpiry(id, before);

        VM.chainId(forkId);
        bytes32 digest = _expiryDigest(_desk, id, deadline);
        _assertEq(_desk.expiryDigest(id, deadline), digest);
        VM.expectRevert(_notCoSigned(digest, before));
        _desk.checkExpiry(id, before);
        _desk.checkExpiry(id, _signed(KEY, digest, deadline));
    }

    function testFuzz_RevertWhen_SLiesInTheUpperHalf(bytes32 id, bytes32 r, uint256 s, bool isOdd) public {
        // Only 255 bits are left of `s` here.
        bytes32 high = bytes32(_bound(s, CURVE_ORDER / 2 + 1, type(uint256).max >> 1));
        bytes32 vs = isOdd ? high | bytes32(uint256(1) << 255) : high;
        VM.expectRevert(abi.encodeWithSelector(SolverSignature.SignatureSTooHigh.selector, high));
        _desk.checkExpiry(id, IExpiryCoSignature.CoSignature({deadline: 0, r: r, vs: vs}));
    }

    function test_SAtHalfTheCurveOrderIsReadAndOneAboveItIsRefused() public {
        IExpiryCoSignature.CoSignature memory coSignature;
        (coSignature.r, coSignature.vs) = (bytes32(uint256(1)), bytes32(CURVE_ORDER / 2));
        VM.expectRevert(_notCoSigned(_desk.expiryDigest(0, 0), coSignature));
        _desk.checkExpiry(0, coSignature);

        bytes32 high = bytes32(CURVE_ORDER / 2 + 1);
        for (uint256 parity; parity < 2; ++parity) {
            coSignature.vs = high | bytes32(parity << 255);
            VM.expectRevert(abi.encodeWithSelector(SolverSignature.SignatureSTooHigh.selector, high));
            _desk.checkExpiry(0, coSignature);
        }
    }

    function test_RevertWhen_TheCoSignerWouldBeTheContractItself() public {
        VM.expectRevert(
            abi.encodeWithSelector(IExpiryCoSignature.CoSignerCannotSign.selector, address(_desk))
        );
        _desk.setCoSigner(address(_desk));
        _assertEq(_desk.coSigner(), SIGNER);
    }

    function test_RevertWhen_TheSignatureRecoversToNobody() public {
        IExpiryCoSignature.CoSignature memory empty;
        VM.expectRevert(abi.encodeWithSelector(IExpiryCoSignature.NotCoSigned.selector, address(0), SIGNER));
        _desk.checkExpiry(0, empty);
    }

    function testFuzz_WithoutACoSignerNothingIsAskedForUnlessTheAmountMustBeSigned(
        bytes32 id,
        IExpiryCoSignature.CoSignature memory coSignature
    ) public {
        _desk.setCoSigner(address(0));
        _assertEq(_desk.coSigner(), address(0));
        _desk.checkDeadline(0);
        _desk.checkExpiry(id, coSignature);
        VM.expectRevert(abi.encodePacked(IExpiryCoSignature.CoSignerNotSet.selector));
        _desk.checkAmountExpiry(id, 1, coSignature);
    }

    function testFuzz_TheFormerCoSignersSignaturesAreWorthlessAtOnce(bytes32 id, uint256 deadline) public {
        IExpiryCoSignature.CoSignature memory coSignature = _signed(
            KEY,
            _expiryDigest(_desk, id, deadline),
            deadline
        );
        address next = _account("next");
        _desk.setCoSigner(next);
        VM.expectRevert(abi.encodeWithSelector(IExpiryCoSignature.NotCoSigned.selector, SIGNER, next));
        _desk.checkExpiry(id, coSignature);
    }

    function _notCoSigned(
        bytes32 digest,
        IExpiryCoSignature.CoSignature memory c
    ) private view returns (bytes memory) {
        uint8 v = uint8(27 + (uint256(c.vs) >> 255));
        address recovered = ecrecover(digest, v, c.r, bytes32((uint256(c.vs) << 1) >> 1));
        return abi.encodeWithSelector(IExpiryCoSignature.NotCoSigned.selector, recovered, SIGNER);
    }

    function _signed(
        uint256 key,
        bytes32 digest,
        uint256 deadline
    ) private pure returns (IExpiryCoSignature.CoSignature memory) {
        (uint8 v, bytes32 r, bytes32 s) = VM.sign(key, digest);
        bytes32 vs = bytes32(uint256(s) | (uint256(v - 27) << 255));
        return IExpiryCoSignature.CoSignature({deadline: deadline, r: r, vs: vs});
    }

    function _expiryDigest(PolicyDesk desk, bytes32 id, uint256 deadline) private view returns (bytes32) {
        bytes32 typehash = keccak256("Expiry(bytes32 requestId,uint256 deadline)");
        return _typed(desk, keccak256(abi.encode(typehash, id, deadline)));
    }

    function _amountDigest(
        PolicyDesk desk,
        bytes32 id,
        uint256 amount,
        uint256 deadline
    ) private view returns (bytes32) {
        bytes32 typehash = keccak256("AmountExpiry(bytes32 requestId,uint256 amount,uint256 deadline)");
        return _typed(desk, keccak256(abi.encode(typehash, id, amount, deadline)));
    }

    function _typed(PolicyDesk desk, bytes32 structHash) private view returns (bytes32) {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256(
                    "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
                ),
                keccak256("Waybill"),
                keccak256("1"),
                block.chainid,
                address(desk)
            )
        );
        return keccak256(abi.encodePacked(hex"1901", domain, structHash));
    }
}
