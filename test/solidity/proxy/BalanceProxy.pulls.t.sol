// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBalanceActions} from "../../../contracts/interfaces/proxy/IBalanceActions.sol";
import {FeeOnTransferToken} from "../../../contracts/mocks/FeeOnTransferToken.sol";
import {GrantingToken} from "../../../contracts/mocks/GrantingToken.sol";
import {ReentrantToken} from "../../../contracts/mocks/ReentrantToken.sol";
import {RevertsOnZeroToken} from "../../../contracts/mocks/RevertsOnZeroToken.sol";
import {LocalToken} from "../../../contracts/service/currencies/LocalToken.sol";
import {ProxyFixture} from "./ProxyFixture.sol";

/// @title BalanceProxyPullsTest
/// @notice Audit A1: an attacker made the executor approve a token that calls back, by an approving function that no list
/// names. The pull of that token takes what an earlier pull brought.
contract BalanceProxyPullsTest is ProxyFixture {
    GrantingToken private _prey;
    ReentrantToken private _hostile;

    function setUp() public {
        _deployProxy();
        _prey = new GrantingToken();
        _hostile = new ReentrantToken();
        bytes memory plant = abi.encodeCall(GrantingToken.grant, (address(_hostile)));
        VM.prank(STRANGER);
        _entry(false).execute(_noAssets(), _steps(_step(address(_prey), plant)));
    }

    function testFuzz_RevertWhen_ALaterPullTakesWhatAnEarlierOneBrought(
        bool namesNft,
        bool hasNative,
        bool isNext,
        uint256 amount,
        uint256 stolen,
        uint256 minimum
    ) public {
        (amount, stolen) = _armTheft(amount, stolen);
        IBalanceActions.Asset[] memory assets = _threeAssets();
        (uint256 prey, uint256 other) = isNext ? (1, 0) : (0, 1);
        assets[prey] = _asset(address(_prey));
        // The largest minimum that the theft leaves.
        assets[prey].minimumReceived = _bound(minimum, 0, amount - stolen);
        assets[other].token = hasNative ? address(0) : address(_otherToken);
        assets[2].token = address(_hostile);
        VM.expectRevert(_tooLittle(address(_prey), amount - stolen, amount));
        VM.prank(CALLER);
        if (namesNft) {
            _proxy.executeWithNftRecipient(
                IBalanceActions.NftExecution({assets: assets, steps: _noSteps(), nftRecipient: RECIPIENT})
            );
        } else {
            _proxy.execute(assets, _noSteps());
        }
        _assertEq(_prey.balanceOf(CALLER), amount);
        _assertEq(_prey.balanceOf(STRANGER), 0);
    }

    function testFuzz_AssetsThatArePulledAfterTheHostileTokenArriveWhole(
        uint256 amount,
        uint256 stolen,
        uint256 minimum
    ) public {
        (amount, stolen) = _armTheft(amount, stolen);
        IBalanceActions.Asset[] memory assets = _assets(_asset(address(_hostile)), _asset(address(_prey)));
        assets[1].minimumReceived = _bound(minimum, 0, amount);
        _execute(true, 0, assets, _noSteps());
        _assertEq(_hostile.fired(), 1);
        _assertEq(_prey.balanceOf(RECIPIENT), amount);
    }

    function testFuzz_AMinimumOfZeroRequiresAllThatTheProxyPulled(uint256 amount) public {
        amount = _bound(amount, 100, MAX_AMOUNT);
        FeeOnTransferToken token = new FeeOnTransferToken(100);
        _bring(LocalToken(address(token)), true, amount);
        uint256 arrives = amount - amount / 100;
        IBalanceActions.Asset memory asset = _asset(address(token));
        _assertRefused(true, 0, _assets(asset), _noSteps(), _tooLittle(address(token), arrives, amount));
        bytes memory data = abi.encodeCall(_target.take, (address(token), 0, type(uint16).max));
        VM.expectRevert(_tooLittle(address(token), arrives, amount));
        VM.prank(CALLER);
        _proxy.spend(address(token), 0, address(_target), AMOUNT_OFFSET, data, RECIPIENT);
        VM.expectRevert(_tooLittle(address(token), arrives, amount));
        VM.prank(CALLER);
        _proxy.depositErc4626(address(_target), address(token), 0, RECIPIENT);

        asset.minimumReceived = arrives;
        _execute(true, 0, _assets(asset), _noSteps());
        _assertEq(token.balanceOf(_executor), 0);
    }

    function test_ATokenWithoutABalanceThatRevertsOnTransfersOfZeroIsSkipped() public {
        _execute(true, 0, _assets(_asset(address(new RevertsOnZeroToken()))), _noSteps());
    }

    function testFuzz_RevertWhen_ThePullOfTheLastAssetBringsNothing(uint256 minimum) public {
        IBalanceActions.Asset memory asset = _asset(address(_otherToken));
        asset.minimumReceived = _bound(minimum, 1, type(uint256).max);
        VM.expectRevert(_tooLittle(address(_otherToken), 0, asset.minimumReceived));
        _execute(true, 0, _assets(asset), _noSteps());
    }

    /// @dev Approves both tokens, and makes the hostile one take a part of the other while it is pulled.
    function _armTheft(uint256 amount, uint256 stolen) private returns (uint256, uint256) {
        amount = _bound(amount, 1, MAX_AMOUNT);
        stolen = _bound(stolen, 1, amount);
        _bring(LocalToken(address(_prey)), true, amount);
        _bring(LocalToken(address(_hostile)), true, 1);
        _hostile.arm(address(_prey), abi.encodeCall(_prey.take, (_executor, STRANGER, stolen)));
        return (amount, stolen);
    }
}
