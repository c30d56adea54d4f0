// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {RejectingRecipient} from "../../../contracts/mocks/RejectingRecipient.sol";
import {ReturnsFalseToken} from "../../../contracts/mocks/ReturnsFalseToken.sol";
import {Order} from "../../../contracts/records/Order.sol";
import {LocalTether} from "../../../contracts/service/currencies/LocalTether.sol";
import {LocalToken} from "../../../contracts/service/currencies/LocalToken.sol";
import {LocalVault} from "../../../contracts/service/currencies/LocalVault.sol";
import {Call3Value} from "../../../contracts/service/interfaces/RouterCalls.sol";
import {SolverFills} from "../../../contracts/testing/SolverFills.sol";
import {WaybillTest} from "../../../contracts/testing/WaybillTest.sol";
import {CalldataNote} from "../support/CalldataNote.sol";
import {Test} from "../support/Test.sol";

contract NotingToken is LocalToken {
    bytes public noted;

    constructor() LocalToken("Noting", "NOTE", 18, msg.sender) {}

    function transfer(address to, uint256 amount) public override returns (bool) {
        noted = msg.data;
        return super.transfer(to, amount);
    }
}

/// @title SolverFillsTest
/// @notice Fills of the kit pay what the solver would pay, and fail where its fill would fail.
contract SolverFillsTest is Test, WaybillTest {
    address private constant RECIPIENT = address(0xA11CE);
    bytes32 private constant ID = keccak256("request");

    ServiceContracts private _service;

    function setUp() public {
        _service = _deployService();
    }

    function test_NativeFillArrivesWithTheIdAsCalldata() public {
        CalldataNote recipient = new CalldataNote();
        _fundSolver(5);
        _fill(ID, address(0), 3, address(recipient));
        _assertEq(address(recipient).balance, 3);
        _assertEq(recipient.noted(), abi.encode(ID));
        _assertEq(_solver().balance, 2);
    }

    function test_TokenFillEndsWithTheId() public {
        NotingToken token = new NotingToken();
        token.mint(_solver(), 5);
        _fill(ID, address(token), 3, RECIPIENT);
        _assertEq(token.balanceOf(RECIPIENT), 3);
        _assertEq(token.balanceOf(_solver()), 2);
        bytes memory data = abi.encodeCall(token.transfer, (RECIPIENT, 3));
        _assertEq(token.noted(), bytes.concat(data, ID));
    }

    function test_FillInATokenWithoutReturnValueArrives() public {
        LocalTether token = _deployTether();
        token.mint(_solver(), 3);
        _fill(ID, address(token), 3, RECIPIENT);
        _assertEq(token.balanceOf(RECIPIENT), 3);
    }

    function test_RevertWhen_TheSolverIsNotFunded() public {
        LocalToken token = _deployToken("USDC", 6);
        token.mint(_solver(), 2);
        VM.expectRevert(
            abi.encodeWithSelector(SolverFills.SolverBalanceTooLow.selector, address(token), 2, 3)
        );
        this.fill(address(token), 3, RECIPIENT);
        VM.expectRevert(abi.encodeWithSelector(SolverFills.SolverBalanceTooLow.selector, address(0), 0, 1));
        this.fill(address(0), 1, RECIPIENT);
    }

    function test_RevertWhen_TheRecipientRejectsTheFill() public {
        address recipient = address(new RejectingRecipient());
        _fundSolver(1);
        try this.fill(address(0), 1, recipient) {
            revert("filled");
        } catch (bytes memory reason) {
            _assertSelector(reason, SolverFills.FillRejected.selector);
        }
        _assertEq(_solver().balance, 1);
    }

    function test_RevertWhen_TheTokenReturnsFalse() public {
        ReturnsFalseToken token = new ReturnsFalseToken();
        token.mint(_solver(), 1);
        bytes memory answer = abi.encode(false);
        VM.expectRevert(abi.encodeWithSelector(SolverFills.FillRejected.selector, address(token), answer));
        this.fill(address(token), 1, RECIPIENT);
    }

    function test_NativeFillMakesItsCallsAndPaysTheRestToTheRecipient() public {
        CalldataNote target = new CalldataNote();
        _fundSolver(5);
        _fillWithCalls(_service, ID, address(0), 5, _one(address(target), 3, hex"1234"), RECIPIENT);
        _assertEq(address(target).balance, 3);
        _assertEq(target.noted(), hex"1234");
        _assertEq(RECIPIENT.balance, 2);
    }

    function test_TokenFillMakesItsCallsWithTheRoutersTokens() public {
        (LocalToken token, LocalVault vault) = _vault();
        token.mint(_solver(), 5);
        _fillWithCalls(_service, ID, address(token), 5, _vaultCalls(token, vault, 5), RECIPIENT);
        _assertEq(vault.balanceOf(RECIPIENT), 5);
        _assertEq(token.balanceOf(_solver()), 0);
    }

    function test_TetherFillMakesItsCalls() public {
        LocalTether token = _deployTether();
        token.mint(_solver(), 5);
        bytes memory data = abi.encodeCall(token.transfer, (RECIPIENT, 5));
        _fillWithCalls(_service, ID, address(token), 5, _one(address(token), 0, data), RECIPIENT);
        _assertEq(token.balanceOf(RECIPIENT), 5);
    }

    function test_RevertWhen_ACallOfTheFillFails() public {
        (LocalToken token, LocalVault vault) = _vault();
        token.mint(_solver(), 5);
        try this.fillWithCalls(address(token), 5, _vaultCalls(token, vault, 6)) {
            revert("filled");
        } catch {}
        _assertEq(token.balanceOf(_solver()), 5);
    }

    function test_OrderWithoutCallsIsFilledByOneTransfer() public {
        LocalToken token = _deployToken("USDC", 6);
        token.mint(_solver(), 95);
        (Order.Data memory order, , ) = _quoteOrder(_request(address(token), new Call3Value[](0)));
        _fillOrder(_service, order, RECIPIENT);
        _assertEq(token.balanceOf(RECIPIENT), 95);
    }

    function test_OrderWithCallsIsFilledByTheRouter() public {
        (LocalToken token, LocalVault vault) = _vault();
        token.mint(_solver(), 95);
        (Order.Data memory order, , ) = _quoteOrder(_request(address(token), _vaultCalls(token, vault, 95)));
        _fillOrder(_service, order, RECIPIENT);
        _assertEq(vault.balanceOf(RECIPIENT), 95);
    }

    function test_StandInsBelongToTheTestAndNameTheSolver() public {
        _assertEq(_service.depository.owner(), address(this));
        _assertEq(_service.depository.allocator(), _solver());
        VM.deal(address(this), 1);
        (bool success, ) = address(_service.receiver).call{value: 1}("");
        _assertEq(success, true);
        _assertEq(_solver().balance, 1);
    }

    function fill(address currency, uint256 amount, address recipient) external {
        _fill(ID, currency, amount, recipient);
    }

    function fillWithCalls(address currency, uint256 amount, Call3Value[] calldata calls) external {
        _fillWithCalls(_service, ID, currency, amount, calls, RECIPIENT);
    }

    function _vault() private returns (LocalToken token, LocalVault vault) {
        token = _deployToken("USDC", 6);
        vault = new LocalVault(token, "Vault", "vUSDC");
    }

    function _vaultCalls(
        LocalToken token,
        LocalVault vault,
        uint256 amount
    ) private pure returns (Call3Value[] memory calls) {
        calls = new Call3Value[](2);
        bytes memory approve = abi.encodeCall(token.approve, (address(vault), amount));
        calls[0] = Call3Value(address(token), false, 0, approve);
        bytes memory deposit = abi.encodeCall(vault.deposit, (amount, RECIPIENT));
        calls[1] = Call3Value(address(vault), false, 0, deposit);
    }

    function _one(
        address target,
        uint256 value,
        bytes memory data
    ) private pure returns (Call3Value[] memory calls) {
        calls = new Call3Value[](1);
        calls[0] = Call3Value(target, false, value, data);
    }

    function _request(
        address token,
        Call3Value[] memory calls
    ) private view returns (OrderRequest memory request) {
        request.destinationCurrency = token;
        request.minimumAmount = 95;
        request.recipient = RECIPIENT;
        request.router = address(_service.router);
        request.calls = calls;
    }
}
